/** The expression that matches exactly this text. */
export function escapePattern(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&\-~]/g, '\\$&');
}

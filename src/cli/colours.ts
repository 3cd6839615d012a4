export function showsColours(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

const paint = (open: number, close: number) => (text: string) =>
  showsColours(process.stdout) ? `\u001b[${open}m${text}\u001b[${close}m` : text;

/** Colours are used on a terminal only. */
export const bold = paint(1, 22);
export const dim = paint(2, 22);
export const red = paint(31, 39);
export const green = paint(32, 39);
export const yellow = paint(33, 39);

/**
 * A part of Node that lies under its public interface, by the name that is kept for old packages; undefined where
 * this Node has none. Whoever uses it checks what it gets and has another way. No deprecation warning reaches the
 * terminal of someone who never heard of it.
 */
export function bareBinding(name: string): unknown {
  const before = process.noDeprecation;
  try {
    process.noDeprecation = true;
    const { binding } = process as unknown as { binding?: (name: string) => unknown };
    return binding?.call(process, name);
  } catch {
    return undefined;
  } finally {
    process.noDeprecation = before ?? false;
  }
}

/** Text in which every occurrence of a query is highlighted, ignoring case. */
export function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  if (query === '') return <>{text}</>;
  const lower = text.toLowerCase();
  const wanted = query.toLowerCase();
  const parts = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push(text.slice(from, at));
    parts.push(<mark key={at}>{text.slice(at, at + query.length)}</mark>);
    from = at + query.length;
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
}

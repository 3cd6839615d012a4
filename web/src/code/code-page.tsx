export default function Stub() {
  return <p>code-page</p>;
}

export default function Stub() {
  return <p>sessions-page</p>;
}

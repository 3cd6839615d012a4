export default function Stub() {
  return <p>disk-page</p>;
}

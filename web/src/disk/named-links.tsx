import { useAnswer } from '../data/use-answer.ts';
import { pageLinks } from '../frame/router.ts';

/** A link to an index by the folder it is of. */
export function IndexLink({ index }: { readonly index: string }) {
  const { answer } = useAnswer('disk_index', { index_id: index });
  return (
    <a class="mono" href={pageLinks.index(index)}>
      {answer?.data.root ?? index}
    </a>
  );
}

/** A link to a selection by its name; an id if it was deleted. */
export function SelectionLink({ selection }: { readonly selection: string }) {
  const { answer } = useAnswer('resource_set_get', { selection_id: selection });
  return <a href={pageLinks.selection(selection)}>{answer?.data.name ?? selection}</a>;
}

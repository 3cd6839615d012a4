import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { pageLinks } from '../frame/router.ts';

/** The folder that paths in a text are relative to. */
export const CodeRoot = createContext<string | undefined>(undefined);

/** Turns a path and a line into the address of the code there; undefined if the folder is not known. */
export function useCodeLink(): (path: string, line?: number) => string | undefined {
  const root = useContext(CodeRoot);
  return (path, line) => {
    const file = path.startsWith('/')
      ? path
      : root === undefined
        ? undefined
        : `${root}/${path.replace(/^\.\//, '')}`;
    return file === undefined ? undefined : pageLinks.code({ file, line });
  };
}

import { OPERATIONS } from '../app/operations.ts';
import { type Route, routesOf } from './routes.ts';

export type ApiRoute = Omit<Route, 'operation'>;

/**
 * The REST routes of every operation, by its name, for the page. A data file (`*.data.ts`): the build runs it and
 * replaces it with its data, so that the page does not contain the operations.
 */
export const ROUTES: Readonly<Record<string, readonly ApiRoute[]>> = byOperation(routesOf(OPERATIONS));

function byOperation(routes: readonly Route[]): Record<string, ApiRoute[]> {
  const groups: Record<string, ApiRoute[]> = {};
  for (const { operation, ...route } of routes) {
    const group = groups[operation.name];
    if (group === undefined) groups[operation.name] = [route];
    else group.push(route);
  }
  return groups;
}

import { param, segment } from '../frame/router.ts';
import { DiskHome } from './disk-home.tsx';
import { IndexView } from './index-view.tsx';
import { PathView } from './path-view.tsx';
import { PlanView } from './plan-view.tsx';
import { QueryView } from './query-view.tsx';
import { SelectionView } from './selection-view.tsx';
import './disk.css';
import './map.css';

/** Disk usage: folders, indexes as maps and tables, selections, queries and plans. */
export default function DiskPage() {
  const first = segment(1);
  const second = segment(2);
  const path = param('path');
  if (first === 'selections' && second !== undefined) return <SelectionView key={second} id={second} />;
  if (first === 'queries' && second !== undefined) return <QueryView key={second} id={second} />;
  if (first === 'plans' && second !== undefined) return <PlanView key={second} id={second} />;
  if (first !== undefined) return <IndexView key={first} index={first} node={second} />;
  return path === undefined ? <DiskHome /> : <PathView key={path} path={path} />;
}

import { useTitle } from '../frame/title.ts';
import { AllowedPanel } from './allowed-panel.tsx';
import { DisplayPanel } from './display-panel.tsx';
import { IndexesPanel } from './indexes-panel.tsx';
import { LogsPanel } from './logs-panel.tsx';
import { PricesPanel } from './prices-panel.tsx';
import './settings.css';

/** What Pinhole may read, what it keeps, and how this page shows it. */
export default function SettingsPage() {
  useTitle(undefined);
  return (
    <div class="view">
      <h1>Settings</h1>
      <div class="settings-grid">
        <AllowedPanel />
        <IndexesPanel />
        <LogsPanel />
        <PricesPanel />
        <DisplayPanel />
      </div>
    </div>
  );
}

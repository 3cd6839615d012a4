import { signal } from '@preact/signals';
import { Dialog } from '../ui/dialog.tsx';
import { KEY_HELP } from './keys.ts';

export const helpOpen = signal(false);

/** All keyboard shortcuts, in a dialog. */
export function Help() {
  if (!helpOpen.value) return null;
  const close = () => {
    helpOpen.value = false;
  };
  return (
    <Dialog title="Keyboard shortcuts" onClose={close}>
      <div class="help">
        {KEY_HELP.map(({ where, keys }) => (
          <section key={where}>
            <h3>{where}</h3>
            <dl>
              {keys.map(({ keys: key, does }) => (
                <div key={key} class="help-key">
                  <dt>
                    {key.split(' ').map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

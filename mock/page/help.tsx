import { Dialog } from './dialog.tsx';

const keys: readonly (readonly [string, string])[] = [
  ['j  k', 'next, previous; in an open message too'],
  ['↓  ↑', 'the same in a list; elsewhere they scroll'],
  ['Enter', 'open'],
  ['Esc', 'back to the list; out of the search'],
  ['/', 'search'],
  ['Del', 'delete the message, once you confirmed'],
  ['?', 'this list'],
];

export const Help = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard" onClose={onClose}>
    <dl class="keys">
      {keys.map(([key, does]) => (
        <div key={key}>
          <dt>
            {key.split('  ').map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    <div class="dialog-actions">
      <button type="button" class="button" autofocus onClick={onClose}>
        Close
      </button>
    </div>
  </Dialog>
);

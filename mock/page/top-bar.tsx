import { Icon } from './icons.tsx';
import type { Connection } from './live.ts';
import { placeOf } from './location.ts';
import { ThemeSwitch } from './theme.tsx';
import { useWorkspace } from './workspace.ts';
import { WorkspacePicker } from './workspace-picker.tsx';

const said: Readonly<Record<Connection, readonly [string, string]>> = {
  connecting: ['Connecting', 'The page asks the mock for news.'],
  live: ['Live', 'What happens shows at once.'],
  lost: ['Not connected', 'The mock does not answer; the page keeps trying.'],
};

export const TopBar = ({ onHelp }: { readonly onHelp: () => void }) => {
  const { connection } = useWorkspace();
  const [state, meaning] = said[connection];
  return (
    <header class="top-bar">
      <a class="brand" href={placeOf('messages')}>
        <span class="logo">
          <Icon name="mail" />
        </span>
        <span class="brand-name">email-leads</span>
        <span class="brand-kind">mock</span>
      </a>
      <span class={`connection ${connection}`} role="status" title={meaning}>
        <i />
        <span>{state}</span>
      </span>
      <div class="spacer" />
      <WorkspacePicker />
      <ThemeSwitch />
      <button
        type="button"
        class="icon-button"
        title="Keyboard (?)"
        aria-label="Keyboard shortcuts"
        onClick={onHelp}
      >
        <Icon name="keyboard" />
      </button>
    </header>
  );
};

import { useState } from 'preact/hooks';
import { ClockView } from './clock.tsx';
import { Faults } from './faults.tsx';
import { Help } from './help.tsx';
import { useKeys, useRowKeys } from './keyboard.ts';
import { Leads } from './leads.tsx';
import { type Place, usePlace, type View } from './location.ts';
import { Messages } from './messages/messages.tsx';
import { Questions } from './questions.tsx';
import { Requests } from './requests/requests.tsx';
import { SideBar } from './side-bar.tsx';
import { StateView } from './state.tsx';
import { Templates } from './templates.tsx';
import { TopBar } from './top-bar.tsx';

const views: Readonly<Record<View, (props: { readonly place: Place }) => unknown>> = {
  messages: Messages,
  requests: Requests,
  leads: Leads,
  templates: Templates,
  questions: Questions,
  faults: Faults,
  clock: ClockView,
  state: StateView,
};

/** The page: what it belongs to above, where to go at the side, the chosen view. */
export const Frame = () => {
  const place = usePlace();
  const [help, setHelp] = useState(false);
  useRowKeys();
  useKeys({
    '?': () => setHelp(true),
    '/': (event) => {
      const search = document.querySelector<HTMLInputElement>('input[type=search]');
      if (!search) return;
      event.preventDefault();
      search.select();
      search.focus();
    },
  });
  const View = views[place.view] as (props: { readonly place: Place }) => preact.JSX.Element;
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        Skip to content
      </button>
      <TopBar onHelp={() => setHelp(true)} />
      <SideBar place={place} />
      <main id="content" tabIndex={-1}>
        <View key={place.view} place={place} />
      </main>
      {help && <Help onClose={() => setHelp(false)} />}
    </div>
  );
};

import type { JSX } from 'preact';
import type { IconName } from '../components/icon.tsx';
import type { Place, View } from '../data/router.ts';
import { ClockView } from './clock.tsx';
import { Faults } from './faults.tsx';
import { Leads } from './leads.tsx';
import { Messages } from './messages/index.tsx';
import { Questions } from './questions.tsx';
import { Requests } from './requests/index.tsx';
import { StateView } from './state.tsx';
import { Templates } from './templates.tsx';

type ViewEntry = {
  readonly title: string;
  readonly icon: IconName;
  readonly Content: (props: { readonly place: Place }) => JSX.Element | null;
};

/** What the page shows for each view. */
export const views: Readonly<Record<View, ViewEntry>> = {
  messages: { title: 'Messages', icon: 'mail', Content: Messages },
  requests: { title: 'Requests', icon: 'swap', Content: Requests },
  leads: { title: 'Leads', icon: 'people', Content: Leads },
  templates: { title: 'Templates', icon: 'template', Content: Templates },
  questions: { title: 'Open questions', icon: 'question', Content: Questions },
  faults: { title: 'Faults', icon: 'bolt', Content: Faults },
  clock: { title: 'Clock', icon: 'clock', Content: ClockView },
  state: { title: 'State', icon: 'box', Content: StateView },
};

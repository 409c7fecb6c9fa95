import type { JSX } from 'preact';
import type { Place } from '../data/router.ts';
import type { View } from '../data/views.ts';
import { ClockView } from './clock.tsx';
import { Faults } from './faults.tsx';
import { Leads } from './leads.tsx';
import { Messages } from './messages/index.tsx';
import { Questions } from './questions.tsx';
import { Requests } from './requests/index.tsx';
import { StateView } from './state.tsx';
import { Templates } from './templates.tsx';

/** What the page shows for each view. */
export const contents: Readonly<Record<View, (props: { readonly place: Place }) => JSX.Element | null>> = {
  messages: Messages,
  requests: Requests,
  leads: Leads,
  templates: Templates,
  questions: Questions,
  faults: Faults,
  clock: ClockView,
  state: StateView,
};

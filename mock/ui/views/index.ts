import type { JSX } from 'preact';
import type { View } from '../data/views.ts';
import { ClockView } from './clock.tsx';
import { Faults } from './faults.tsx';
import { Leads } from './leads.tsx';
import { Messages } from './messages.tsx';
import { Questions } from './questions.tsx';
import { Requests } from './requests.tsx';
import { StateView } from './state.tsx';
import { Templates } from './templates.tsx';

/** What the page shows for each view. */
export const contents: Readonly<Record<View, () => JSX.Element>> = {
  messages: Messages,
  requests: Requests,
  leads: Leads,
  templates: Templates,
  questions: Questions,
  faults: Faults,
  clock: ClockView,
  state: StateView,
};

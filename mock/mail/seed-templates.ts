import type { Template } from './template.ts';

/** The default templates of every workspace: those of a small course business. */
export const seedTemplates: readonly Template[] = [
  {
    id: '1',
    name: 'Course welcome',
    body:
      '<p>Hello {{first_name}},</p><p>welcome to <b>{{course_name}}</b>. We start on {{start_date}}; ' +
      'the link to the classroom comes the day before.</p><p>See you soon!</p>',
    variables: ['first_name', 'course_name', 'start_date'],
    created_at: '2026-01-12T09:30:00.000Z',
  },
  {
    id: '2',
    name: 'Payment reminder',
    body:
      '<p>Dear {{full_name}},</p><p>invoice {{invoice_number}} over {{amount}} was due on {{due_date}}. ' +
      'If you have paid in the meantime, please ignore this email.</p>',
    variables: ['full_name', 'invoice_number', 'amount', 'due_date'],
    created_at: '2026-01-12T09:45:00.000Z',
  },
  {
    id: '3',
    name: 'Trial lesson follow-up',
    // Repeats a variable: every placeholder is filled, and `variables` lists it once.
    body:
      '<p>Hi {{first_name}},</p><p>how did you like the trial lesson of {{course_name}}? ' +
      'Seats in {{course_name}} are kept for you until {{reserved_until}}.</p>',
    variables: ['first_name', 'course_name', 'reserved_until'],
    created_at: '2026-02-03T14:05:00.000Z',
  },
  {
    id: '4',
    name: 'Certificate of completion',
    body: '<p>Congratulations, {{full_name}}!</p><p>You completed {{course_name}}: {{certificate_url}}</p>',
    variables: ['full_name', 'course_name', 'certificate_url'],
    created_at: '2026-02-20T08:00:00.000Z',
  },
  {
    id: '5',
    name: 'Summer break',
    body: '<p>Our office is closed from 1 to 15 August. Courses that are running go on as planned.</p>',
    variables: [],
    created_at: '2026-03-01T16:20:00.000Z',
  },
];

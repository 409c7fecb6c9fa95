import { adminDocument } from '../openapi.ts';
import { type AdminRoute, success, tagged } from '../route.ts';
import { answerRoutes } from './answers.ts';
import { clockRoutes } from './clock.ts';
import { eventRoutes } from './events.ts';
import { faultRoutes } from './faults.ts';
import { leadRoutes } from './leads.ts';
import { healthRoutes, mockTag, workspaceRoutes } from './mock.ts';
import { outboxRoutes } from './outbox.ts';
import { requestRoutes } from './requests.ts';
import { resetRoutes, stateRoutes } from './state.ts';
import { templateRoutes } from './templates.ts';
import { pageRoutes, previewRoutes } from './ui.ts';

/** The OpenAPI document of the admin API. */
const documentRoutes = tagged(mockTag, [
  {
    method: 'GET',
    path: '/openapi.json',
    doc: {
      id: 'getDocument',
      summary: 'Get this OpenAPI document',
      description: 'Describes the requests and responses of the admin API.',
      replies: success('The OpenAPI 3.1 document.', { type: 'object' }),
    },
    run: ({ context }) => ({ body: adminDocument(adminRoutes, context.version) }),
  },
]);

// One file per resource.
export const adminRoutes: readonly AdminRoute[] = [
  ...healthRoutes,
  ...resetRoutes,
  ...outboxRoutes,
  ...templateRoutes,
  ...leadRoutes,
  ...answerRoutes,
  ...requestRoutes,
  ...faultRoutes,
  ...clockRoutes,
  ...stateRoutes,
  ...eventRoutes,
  ...workspaceRoutes,
  ...documentRoutes,
  ...previewRoutes,
  ...pageRoutes,
];

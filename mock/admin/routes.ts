import { answerRoutes } from './answers.ts';
import { clockRoutes } from './clock.ts';
import { success } from './documentation.ts';
import { eventRoutes } from './events.ts';
import { faultRoutes } from './faults.ts';
import { healthRoutes } from './health.ts';
import { leadRoutes } from './leads.ts';
import { adminDocument } from './openapi.ts';
import { outboxRoutes } from './outbox.ts';
import { pageRoutes } from './page.ts';
import { previewRoutes } from './previews.ts';
import { requestRoutes } from './requests.ts';
import { resetRoutes } from './reset.ts';
import type { AdminRoute } from './route.ts';
import { stateRoutes } from './state.ts';
import { templateRoutes } from './templates.ts';
import { workspaceRoutes } from './workspaces.ts';

/** This API's own document, made when it is first asked for. */
const documentRoute: AdminRoute = {
  method: 'GET',
  path: '/openapi.json',
  doc: {
    id: 'getDocument',
    summary: 'This document',
    description: 'What the admin API takes and replies; its own tests hold every reply against it.',
    tag: 'Mock',
    replies: success('OpenAPI 3.1.', { type: 'object' }),
  },
  run: ({ context }) => ({ body: adminDocument(adminRoutes, context.version) }),
};

// A noun, a file.
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
  documentRoute,
  ...previewRoutes,
  ...pageRoutes,
];

import { startAnotherService } from './another-service.ts';
import { asBytes } from './broken/faults.ts';
import { addresses } from './conforming/addresses.ts';
import { combined } from './conforming/combined.ts';
import { failures } from './conforming/failures.ts';
import { replies } from './conforming/replies.ts';
import { requests } from './conforming/requests.ts';
import { transport } from './conforming/transport.ts';
import { type Demands, type Variant, variants } from './conforming/variant.ts';
import type { Deployment } from './deployment.ts';
import { createService } from './service.ts';

export type ConformingDeployment = Deployment & { readonly demands: Demands };

const plain = variants('plain')('plain', 'Decides every open point in the most usual way', {});

/** Every conforming deployment that is `createService` with choices; what broken ones are built on. */
export const conformingVariants: readonly Variant[] = [
  plain,
  ...addresses,
  ...requests,
  ...failures,
  ...replies,
  ...transport,
  ...combined,
];

const another: ConformingDeployment = {
  id: 'another-service',
  title: 'An implementation that shares no line with the others',
  group: 'another',
  demands: {},
  start: startAnotherService,
};

/** What is no JSON never reaches the operation: the framework in front of it answers as it does everywhere (§7 says nothing). */
const bodyParserPage: ConformingDeployment = {
  id: 'body-parser-page',
  title: 'A body parser answers what is no JSON with a page of its own',
  group: 'failures',
  demands: {},
  start: createService(
    plain.choices,
    asBytes(
      ({ refused }) => refused === 'json',
      () => ({ headers: { 'content-type': 'text/html' }, payload: Buffer.from('<pre>SyntaxError</pre>') }),
    ),
  ).start,
};

/** Servers that keep every promise of the document, and of which no suite may say otherwise. */
export const conforming: readonly ConformingDeployment[] = [
  ...conformingVariants.map(({ choices, ...variant }) => ({
    ...variant,
    start: createService(choices).start,
  })),
  bodyParserPage,
  another,
];

import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Exchange, JsonObject } from '../exchange/exchange.ts';
import type { ListedTemplate, Shared } from './shared.ts';

/** What an update has beside its changes: the other texts of the lead, undocumented fields. */
type UpdateForm = { readonly hasAllFields: boolean; readonly extra: JsonObject };

/** The update of §4.6. */
export const noteAlone: UpdateForm = { hasAllFields: false, extra: {} };

/** What this deployment requires beyond the documented requests, as discovery found it. */
export type Requirements = {
  extraLeadFields: JsonObject;
  /** Turns a unique text into a name that this deployment accepts. */
  nameFrom?: ((unique: string) => string) | undefined;
  /** Whether the texts of a lead have only the id of the run and a number. */
  hasShortTexts: boolean;
  updateForm: UpdateForm;
  /** Sender of mails if the deployment refuses the default, which is the recipient. */
  sender?: string | undefined;
  sendWithoutTo: boolean;
  /** Whether the HTML of mails must be a whole document. */
  sendDocuments: boolean;
  /** The mail of §4.1 that was refused, if it was accepted in another form. */
  sendRefused?: {
    readonly exchange: Exchange;
    /** What about it was not accepted: `with the field to`. */
    readonly form: string;
    /** What to try, if it may be refused for its recipient. */
    readonly hint?: string;
  };
  templateTo: boolean;
  /** Whether a template mail was accepted in the form of §4.3, which names no recipient. */
  templateWithoutTo: boolean;
  /** The template that could be sent. */
  template?: ListedTemplate;
  /** What the requests of an operation have beyond the documented ones, one sentence each. */
  readonly adaptations: Map<OperationId, readonly string[]>;
};

export const createRequirements = (): Requirements => ({
  extraLeadFields: {},
  hasShortTexts: false,
  updateForm: noteAlone,
  templateTo: false,
  templateWithoutTo: false,
  sendWithoutTo: false,
  sendDocuments: false,
  adaptations: new Map(),
});

/** What the requests of the run have beyond the documented ones. These are no findings where the document leaves open what is required. */
export const describeAdaptations = ({
  requirements,
  history,
}: Pick<Shared, 'requirements' | 'history'>): readonly string[] => [
  ...[...requirements.adaptations.values()].flat(),
  ...(history.model.dialect.lagMs > 0
    ? [
        'requests wait until a change is visible, because it is not visible at once (the document does not state how soon)',
      ]
    : []),
];

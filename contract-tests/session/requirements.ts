import type { Exchange, JsonObject } from '../exchange/exchange.ts';
import type { ListedTemplate, Shared } from './shared.ts';

/** What an update has beside its changes: the other texts of the lead, undocumented fields. */
export type UpdateForm = { readonly hasAllFields: boolean; readonly extra: JsonObject };

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
    readonly accepted: string;
    /** What to try, if it may be refused for its recipient. */
    readonly hint?: string;
  };
  templateTo: boolean;
  /** Whether a template mail was accepted in the form of §4.3, which names no recipient; `undefined` if unknown. */
  templateWithoutTo: boolean | undefined;
  /** The template that could be sent. */
  template?: ListedTemplate;
  /** Whether the deployment shows changes late; unset until it was measured. */
  lag?: Promise<boolean>;
  lagMeasurements: number;
  /** The number of judged exchanges when the lag was known. */
  lagFrom: number;
};

export const createRequirements = (): Requirements => ({
  extraLeadFields: {},
  hasShortTexts: false,
  updateForm: noteAlone,
  templateTo: false,
  templateWithoutTo: false,
  sendWithoutTo: false,
  sendDocuments: false,
  lagMeasurements: 0,
  lagFrom: 0,
});

const describeForm = ({ hasAllFields, extra }: UpdateForm): string =>
  [...(hasAllFields ? ['name', 'source'] : []), ...Object.keys(extra)].join(' and ');

/**
 * Describes what discovery changed in the requests of the run. These changes are no findings where
 * the document leaves open what is required.
 */
export const describeRequirements = ({ requirements, can, history }: Shared): readonly string[] => {
  const { extraLeadFields, nameFrom, hasShortTexts, updateForm, sender, templateTo, templateWithoutTo } =
    requirements;
  const { email, source } = extraLeadFields;
  const lines: readonly (readonly [boolean, string])[] = [
    [
      email !== undefined,
      'every new lead has the field email, because leads with only a name, a source and a note are refused (§2.3 leaves open what is required)',
    ],
    [source !== undefined, `every new lead has the source "${source}", because other sources are refused`],
    [
      hasShortTexts,
      'the texts of every lead are short, because longer ones are refused (§8 leaves limits open)',
    ],
    [
      nameFrom !== undefined,
      'every name consists of letters, because names with digits are refused (§2.3 leaves open which names are valid)',
    ],
    [
      updateForm !== noteAlone && can('updateLead'),
      `every update has ${describeForm(updateForm)}, because an update of the note alone is refused (§2.3 leaves open what is required)`,
    ],
    [
      sender !== undefined,
      `every mail is from ${sender}, because mails from their recipient are refused (the document leaves open which senders are accepted; --from sets another one)`,
    ],
    [
      can('sendTemplateEmail') && templateTo && templateWithoutTo === false,
      'every template mail has the field to, because mails without it are refused (§4.3 leaves the recipient open)',
    ],
    [
      history.model.dialect.lagMs > 0,
      'requests wait until a change is visible, because it is not visible at once (the document does not state how soon)',
    ],
  ];
  return lines.flatMap(([applies, text]) => (applies ? [text] : []));
};

/** The six operations of §4, by the names this project gives them. */
export type OperationId =
  | 'sendEmail'
  | 'listTemplates'
  | 'sendTemplateEmail'
  | 'addLead'
  | 'updateLead'
  | 'deleteLead';

/** The same with those that answers may add (§4.8), for editors to offer. Any text, as a saved state may know others. */
export type OperationName = OperationId | 'listLeads' | 'retrieveLead' | (string & {});

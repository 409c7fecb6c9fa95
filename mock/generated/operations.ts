// Made from openapi.yaml by `npm run generate`. Do not edit.

/** The operations of openapi.yaml, by the names this project gives them. */
export const operationIds = ["sendEmail","listTemplates","sendTemplateEmail","addLead","updateLead","deleteLead"] as const;

export type OperationId = (typeof operationIds)[number];

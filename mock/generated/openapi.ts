// Made from openapi.yaml by `npm run generate`. Do not edit.
export interface paths {
    "/api/v1/email/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an email
         * @description Sends an email with the subject, sender and HTML of the request to the recipient it names.
         */
        post: operations["sendEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/email/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the email templates
         * @description Lists the stored email templates with their text and the names of their placeholders.
         */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/email/template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the email templates (path of one code example)
         * @description The same operation as `listTemplates` under the path that one of the document's code examples uses.
         */
        get: operations["listTemplatesAtSingularPath"];
        put?: never;
        /**
         * Send an email from a template
         * @description Sends an email built from a stored template, each placeholder replaced by the variable of its name.
         */
        post: operations["sendTemplateEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/email/send-template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an email from a template (path of the code examples)
         * @description The same operation as `sendTemplateEmail` under the path that the document's code examples use.
         */
        post: operations["sendTemplateEmailAtExamplePath"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a lead
         * @description Adds a lead. The service assigns its `lead_id`.
         */
        post: operations["addLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `lead_id` of the lead. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Update a lead
         * @description Changes the fields in the request, of this lead only.
         */
        put: operations["updateLead"];
        post?: never;
        /**
         * Delete a lead
         * @description Deletes this lead only.
         */
        delete: operations["deleteLead"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A free-form email. */
        EmailMessage: {
            /** @description Subject line. */
            subject?: string;
            /**
             * Format: email
             * @description Sender address.
             */
            from?: string;
            /**
             * Format: email
             * @description Recipient address; only one of the documented request shapes has it.
             */
            to?: string;
            /** @description HTML body. */
            html?: string;
        };
        EmailSent: {
            success: components["schemas"]["Success"];
            /** @description A confirmation text. */
            message: string;
        };
        /** @description A stored email template. */
        Template: {
            /** @description Identifier; a string even where it looks like a number. */
            id: string;
            /** @description Name for people. */
            name: string;
            /** @description Text with placeholders written `{{variable_name}}`. */
            body: string;
            /** @description Names of the placeholders in `body`. */
            variables: string[];
            created_at: components["schemas"]["Timestamp"];
        };
        TemplateList: {
            success: components["schemas"]["Success"];
            error: components["schemas"]["NoError"];
            /** @description The stored templates. */
            data: components["schemas"]["Template"][];
            message: string;
        };
        /** @description An email to be built from a stored template. */
        TemplateEmail: {
            /** @description Identifier of the template. */
            template_id?: string;
            /** @description The replacement for each placeholder, by its name. */
            variables?: {
                [key: string]: string;
            };
        };
        TemplateEmailSent: {
            success: components["schemas"]["Success"];
            message: string;
        };
        /** @description A lead to add. */
        NewLead: {
            /** @description Name of the lead. */
            name?: string;
            /** @description Where the lead came from, in free text. */
            source?: string;
            /** @description Free text about the lead. */
            note?: string;
        };
        /** @description The fields of a lead to change. The documented shape has `note`. */
        LeadChanges: {
            /** @description The new note. */
            note?: string;
        };
        LeadAdded: {
            success: components["schemas"]["Success"];
            /** @description The new lead. */
            data: {
                lead_id: components["schemas"]["LeadId"];
                name: components["schemas"]["LeadName"];
                source: components["schemas"]["LeadSource"];
                note: components["schemas"]["LeadNote"];
                created_at: components["schemas"]["Timestamp"];
            };
            message: string;
        };
        LeadUpdated: {
            success: components["schemas"]["Success"];
            error: components["schemas"]["NoError"];
            /** @description The lead after the change. */
            data: {
                lead_id: components["schemas"]["LeadId"];
                name: components["schemas"]["LeadName"];
                source: components["schemas"]["LeadSource"];
                note: components["schemas"]["LeadNote"];
                updated_at: components["schemas"]["Timestamp"];
            };
            message: string;
        };
        LeadDeleted: {
            success: components["schemas"]["Success"];
            error: components["schemas"]["NoError"];
            message: string;
        };
        /** @description Identifier the service assigned to the lead. */
        LeadId: string;
        /** @description Name of the lead. */
        LeadName: string;
        /** @description Where the lead came from, in free text. */
        LeadSource: string;
        /** @description Free text about the lead. */
        LeadNote: string;
        /**
         * @description True in every success, together with HTTP status 200.
         * @constant
         */
        Success: true;
        /**
         * @description Empty in a success.
         * @constant
         */
        NoError: "";
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         * @example 2026-03-02T10:15:30.000Z
         */
        Timestamp: string;
        /** @description The documented field of an error response; other fields are open. */
        Failure: {
            /** @description What went wrong. */
            error: string;
            /** @description A text about the error, if there is one. */
            message?: string;
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description The request was refused; `error` gives the reason. */
        Failure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    sendEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailMessage"];
            };
        };
        responses: {
            /** @description The email was accepted for sending. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailSent"];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    listTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stored templates. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    listTemplatesAtSingularPath: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stored templates. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    sendTemplateEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateEmail"];
            };
        };
        responses: {
            /** @description The email was accepted for sending. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateEmailSent"];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    sendTemplateEmailAtExamplePath: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateEmail"];
            };
        };
        responses: {
            /** @description The email was accepted for sending. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateEmailSent"];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    addLead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLead"];
            };
        };
        responses: {
            /** @description The lead was added. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadAdded"];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    updateLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `lead_id` of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadChanges"];
            };
        };
        responses: {
            /** @description The lead was changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadUpdated"];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
    deleteLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `lead_id` of the lead. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lead was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadDeleted"];
                };
            };
            "4XX": components["responses"]["Failure"];
            default: components["responses"]["Failure"];
        };
    };
}

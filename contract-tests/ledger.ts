/** The leads a run created and has to delete again, whatever happens. */
export type Ledger = {
  /** Notes the `lead_id` of any reply to Add Lead, even of one that was meant to be refused. */
  readonly note: (id: unknown) => void;
  readonly deleted: (id: string) => void;
  readonly open: () => string[];
};

export const createLedger = (): Ledger => {
  const ids = new Set<string>();
  return {
    note: (id) => {
      if ((typeof id === 'string' && id !== '') || typeof id === 'number') ids.add(String(id));
    },
    deleted: (id) => void ids.delete(id),
    open: () => [...ids],
  };
};

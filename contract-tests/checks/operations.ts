// Where a check belongs, for the files that have checks of more than one kind of claim.
export const add = { operation: 'addLead', needs: 'writes', section: '4.5' } as const;
export const update = { operation: 'updateLead', needs: 'writes', section: '4.6' } as const;

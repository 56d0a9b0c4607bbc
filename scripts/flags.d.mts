/** The flags that `npm start` passes to node, for starting the service in another way. */
export const FLAGS: readonly string[];

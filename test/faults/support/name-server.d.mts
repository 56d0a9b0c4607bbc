/** Starts a DNS server on the loopback address that answers from `addresses`, including later changes to it. */
export function startNameServer(
  addresses: Map<string, string>,
): Promise<{ address: string; close: () => Promise<void> }>;

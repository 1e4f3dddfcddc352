/** Servers of an account that are launching, running or stopping. */
export const serverCounter = (accountId: string): string => `servers:${accountId}`
/** Builds of an account that are neither failed nor deleted. */
export const buildCounter = (accountId: string): string => `builds:${accountId}`

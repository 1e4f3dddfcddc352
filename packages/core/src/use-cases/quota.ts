/** Servers of an account that are launching, running or stopping. */
export const serverCounter = (accountId: string): string => `servers:${accountId}`
/** Builds of an account that are neither failed nor deleted. */
export const buildCounter = (accountId: string): string => `builds:${accountId}`
/** Live servers of a project: it is deleted in a commit that wants none, so a launch at the same instant cannot slip through. */
export const projectServerCounter = (projectId: string): string => `project-servers:${projectId}`
/** Live servers that run a build; wanted at none when it is deleted. */
export const buildServerCounter = (buildId: string): string => `build-servers:${buildId}`

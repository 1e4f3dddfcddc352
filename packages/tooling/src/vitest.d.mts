import type { UserWorkspaceConfig } from 'vitest/config'

/**
 * Returns the configuration of a package's tests. `shared`: its files share one module graph, so no test may leave
 * state behind in it.
 */
export declare const project: (name: string, options?: { readonly shared?: boolean }) => UserWorkspaceConfig

/** Returns the projects of a run: one for each package, or in the quick tier one for most packages together. */
export declare const projects: () => (UserWorkspaceConfig | string)[]

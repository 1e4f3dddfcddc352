import type { UserWorkspaceConfig } from 'vitest/config'

/** Returns the configuration of a package's tests. `shared`: its files share one module graph, so no test may leave anything behind in it. */
export declare const project: (name: string, options?: { readonly shared?: boolean }) => UserWorkspaceConfig

/** Returns the projects of a run: each package by itself, or most of them as one in the quick tier. */
export declare const projects: () => (UserWorkspaceConfig | string)[]

import type { UserWorkspaceConfig } from 'vitest/config'

/**
 * Returns the Vitest configuration of a package's tests. `shared` says that its test files share one module graph, so
 * no test may leave state in a module.
 */
export declare const project: (name: string, options?: { readonly shared?: boolean }) => UserWorkspaceConfig

/**
 * Returns the Vitest projects of a run: one project for each package; in the quick tier, one project for most packages
 * together.
 */
export declare const projects: () => (UserWorkspaceConfig | string)[]

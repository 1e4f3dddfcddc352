import type { UserWorkspaceConfig } from 'vitest/config'

/** How every package is tested: against the sources of the workspace, without a build. */
export declare const project: (name: string) => UserWorkspaceConfig

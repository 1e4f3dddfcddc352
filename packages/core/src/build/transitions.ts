import type { Transition } from '../shared/transitions'
import type { BuildStatus } from './build'

/**
 * Transitions between the statuses of a build. They are from the specification, "Build status", and from docs/http-api.md §4 for cases that
 * the specification leaves open, as `source` says.
 */
export const BUILD_TRANSITIONS = [
  { from: null, trigger: 'request_upload', to: 'uploading', source: 'spec: upload-URL request' },
  { from: null, trigger: 'register_image', to: 'processing', source: 'spec: docker-image registration' },
  { from: 'uploading', trigger: 'complete_upload', to: 'processing', source: 'spec: ZIP upload completes' },
  { from: 'uploading', trigger: 'expire_upload', to: 'failed', source: 'docs/http-api.md §4: upload expired' },
  {
    from: 'uploading',
    trigger: 'refuse_upload',
    to: 'failed',
    source: 'docs/http-api.md §4: what arrived at an object store is refused',
  },
  { from: 'processing', trigger: 'succeed', to: 'ready', source: 'spec: processing succeeds' },
  { from: 'processing', trigger: 'fail', to: 'failed', source: 'spec: processing fails' },
  {
    from: 'uploading',
    trigger: 'delete',
    to: 'deleted',
    source: 'docs/http-api.md §4: DELETE, or its project is deleted',
  },
  { from: 'processing', trigger: 'delete', to: 'deleted', source: 'docs/http-api.md §4' },
  { from: 'ready', trigger: 'delete', to: 'deleted', source: 'docs/http-api.md §4' },
  { from: 'failed', trigger: 'delete', to: 'deleted', source: 'docs/http-api.md §4' },
] as const satisfies readonly Transition<BuildStatus>[]

export type BuildTrigger = (typeof BUILD_TRANSITIONS)[number]['trigger']

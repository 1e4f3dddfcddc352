import type { CallOptions } from '../context/context'
import type { Project } from '../project/project'
import type { Page } from '../shared/page'
import type { CreatedProject, CreateProjectInput } from '../use-cases/projects/create-project'
import type { DeleteProjectInput } from '../use-cases/projects/delete-project'
import type { EnsureProjectInput } from '../use-cases/projects/ensure-project'
import type { ListProjectsInput } from '../use-cases/projects/list-projects'
import type { OnOwnProject, SetPlayerAuthInput, ShownPlayerAuth } from '../use-cases/projects/player-auth'

/** Projects: what owns keys, queues, lobbies, builds and servers. */
export interface Projects {
  /** Makes a project that is usable at once: both its first keys come with it (docs/http-api.md §2). Throws VALIDATION_FAILED. */
  create(input: CreateProjectInput, call?: CallOptions): Promise<CreatedProject>

  /**
   * The project of this name, made with its account when there is none yet: for embedders and for demos, which start again and again
   * on the same data. Several processes may ask at once.
   */
  ensure(input: EnsureProjectInput): Promise<Project>

  /** A project of the account. Throws PROJECT_NOT_FOUND. */
  get(input: { readonly accountId: string; readonly projectId: string }): Promise<Project>

  /** A page of the account's projects, oldest first. */
  list(input: ListProjectsInput): Promise<Page<Project>>

  /**
   * Ends a project for good. Its keys fail from the answer on; its lobbies, queues and builds are ended by a job, its servers'
   * intervals stay for billing (docs/http-api.md §2). Throws PROJECT_NOT_FOUND, PROJECT_HAS_RUNNING_SERVERS.
   */
  delete(input: DeleteProjectInput, call?: CallOptions): Promise<void>

  /**
   * How the project's players prove who they are, in place of what held before (docs/http-api.md §11): `trusted` believes
   * `x-player-id`, `signed` asks for a token of one of up to five issuers. A generated secret is in this answer and nowhere else.
   * Throws PROJECT_NOT_FOUND, VALIDATION_FAILED, WEBHOOK_ADDRESS_REFUSED.
   */
  setPlayerAuth(input: SetPlayerAuthInput, call?: CallOptions): Promise<ShownPlayerAuth>

  /** How the project's players prove who they are, without secrets. Throws PROJECT_NOT_FOUND. */
  getPlayerAuth(input: OnOwnProject): Promise<ShownPlayerAuth>
}

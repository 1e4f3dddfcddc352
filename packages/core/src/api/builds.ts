import type { Build } from '../build/build'
import type { CallOptions } from '../context/context'
import type { ReceiveUploadInput } from '../runtime/receive-upload'
import type { Page } from '../shared/page'
import type { CreatedUpload, CreateUploadInput } from '../use-cases/builds/create-upload'
import type { BuildLogs, ListBuildsInput, OnBuild } from '../use-cases/builds/read-builds'
import type { RegisterImageInput } from '../use-cases/builds/register-image'
import type { UpdateBuildInput } from '../use-cases/builds/update-build'

/** Builds of game servers: archives and container images. */
export interface Builds {
  /**
   * Makes a build that waits for its archive, and the URL that takes it (docs/http-api.md §4).
   * Throws VALIDATION_FAILED, PAYLOAD_TOO_LARGE, PROJECT_NOT_FOUND, PLAN_LIMIT_EXCEEDED.
   */
  createUpload(input: CreateUploadInput, call?: CallOptions): Promise<CreatedUpload>

  /**
   * Takes the archive of a build; processing starts by itself (docs/http-api.md §4). A refused or broken attempt does not spend the URL.
   * Throws UPLOAD_REJECTED, CONFLICT (another upload of the build is under way), PAYLOAD_TOO_LARGE, UNAVAILABLE.
   */
  receiveUpload(input: ReceiveUploadInput): Promise<void>

  /**
   * Makes a build of a container image, which is then validated and pinned; where this installation runs no images, that is
   * where it fails. Throws VALIDATION_FAILED, PROJECT_NOT_FOUND, PLAN_LIMIT_EXCEEDED.
   */
  registerImage(input: RegisterImageInput, call?: CallOptions): Promise<Build>

  /** A page of the project's builds, newest first. */
  list(input: ListBuildsInput): Promise<Page<Build>>

  /** A build, also a deleted one. Throws BUILD_NOT_FOUND. */
  get(input: OnBuild): Promise<Build>

  /**
   * Disables a build, or enables it again. A disabled build launches nothing new, and ends nothing that runs it. Throws
   * VALIDATION_FAILED, BUILD_NOT_FOUND.
   */
  update(input: UpdateBuildInput, call?: CallOptions): Promise<Build>

  /** Ends a build; it can still be read by its id. Throws BUILD_NOT_FOUND (also the second time), BUILD_IN_USE. */
  delete(input: OnBuild, call?: CallOptions): Promise<void>

  /** The full output of a build's processing, oldest first. Throws BUILD_NOT_FOUND. */
  logs(input: OnBuild): Promise<BuildLogs>
}

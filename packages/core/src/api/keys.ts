import type { MintedKey } from '../commit/rows/api-key'
import type { CallOptions } from '../context/context'
import type { ApiKey } from '../project/api-key'
import type { Page } from '../shared/page'
import type { ListKeysInput } from '../use-cases/keys/list-keys'
import type { MintKeyInput } from '../use-cases/keys/mint-key'
import type { RevokeKeyInput } from '../use-cases/keys/revoke-key'

/** API keys of a project. */
export interface Keys {
  /** Makes a key of a project; its value cannot be read again. Throws VALIDATION_FAILED, PROJECT_NOT_FOUND. */
  mint(input: MintKeyInput, call?: CallOptions): Promise<MintedKey>

  /** A page of a project's keys, revoked ones too, without their values. Throws PROJECT_NOT_FOUND. */
  list(input: ListKeysInput): Promise<Page<ApiKey>>

  /**
   * Ends a key: a request that starts after the answer fails on every node; servers that the key started go on.
   * Throws PROJECT_NOT_FOUND, KEY_NOT_FOUND, KEY_REVOKED.
   */
  revoke(input: RevokeKeyInput, call?: CallOptions): Promise<void>
}

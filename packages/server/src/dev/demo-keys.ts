import type { ReferenceKeys } from '@matchyard/http'
import type { Credentials } from './local-files'

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

/**
 * The demo's keys for the reference page, so that one can try calls at once. They are for who sits at this machine: given only while the
 * service listens here alone, and to a page that was reached by this machine's own name. A stranger's name that was made to lead here is
 * another one.
 */
export class DemoKeys {
  private keys: ReferenceKeys = {}

  constructor(private readonly host: string) {}

  set({ client_key: client, server_key: server }: Credentials): void {
    this.keys = { client, server }
  }

  readonly for = (origin: string): ReferenceKeys =>
    LOOPBACK.test(this.host) && URL.canParse(origin) && LOOPBACK.test(new URL(origin).hostname) ? this.keys : {}
}

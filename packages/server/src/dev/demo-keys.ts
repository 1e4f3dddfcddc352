import type { ReferenceKeys } from '@matchyard/http'
import type { Credentials } from './local-files'

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

/**
 * The demo's keys for the reference page, so that a developer can try calls at once. The keys are for the person at
 * this machine. They are given only while the service listens on the loopback interface, and only to a page with a
 * loopback address. A foreign host name that resolves to this machine gets no keys.
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

import type { Clock } from '@matchyard/core/ports'

/** Limits of the answers of one beacon. */
export interface BeaconLimits {
  /** Maximum answers per second to one network: an IPv4 address, or the /64 of an IPv6 address. */
  readonly perSecond: number
  /** Maximum answers to one network at once, after a pause. */
  readonly burst: number
  /** Maximum answers per second to all networks together, and at once. */
  readonly totalPerSecond: number
  /** Packets without an answer that are read per second. After them the operating system drops all packets for a while. */
  readonly dropsPerSecond: number
}

/** A measurement sends five requests to each beacon, so a network has capacity for eight players at once. */
export const BEACON_LIMITS: BeaconLimits = {
  perSecond: 20,
  burst: 40,
  totalPerSecond: 2_000,
  dropsPerSecond: 400,
}

const SECOND_MS = 1_000

/** Token bucket. */
class Bucket {
  private tokens: number

  constructor(
    private readonly size: number,
    private readonly perSecond: number,
    private filledAt: number,
  ) {
    this.tokens = size
  }

  isEmpty(now: number): boolean {
    this.tokens = Math.min(this.size, this.tokens + ((now - this.filledAt) / SECOND_MS) * this.perSecond)
    this.filledAt = now
    return this.tokens < 1
  }

  take(): void {
    this.tokens--
  }
}

/**
 * Decides which requests a beacon answers. The number of known networks is bounded: the network that was answered
 * longest ago is forgotten. By then its bucket is full again, because all networks together get too few answers to
 * replace every known network before that.
 */
export class PacketBudget {
  private readonly networks = new Map<string, Bucket>()
  private readonly total: Bucket
  private readonly maxNetworks: number

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly limits: BeaconLimits = BEACON_LIMITS,
  ) {
    const { totalPerSecond, burst, perSecond } = limits
    this.total = new Bucket(totalPerSecond, totalPerSecond, clock.now())
    this.maxNetworks = totalPerSecond + Math.ceil((totalPerSecond * burst) / perSecond)
  }

  /** Number of known networks. */
  get size(): number {
    return this.networks.size
  }

  /** Whether a request of the network is answered now; counts the answer. */
  take(network: string): boolean {
    const { perSecond, burst } = this.limits
    const now = this.clock.now()
    const known = this.networks.get(network)
    if (known?.isEmpty(now) || this.total.isEmpty(now)) return false
    const bucket = known ?? new Bucket(burst, perSecond, now)
    bucket.take()
    this.total.take()
    this.networks.delete(network)
    this.networks.set(network, bucket)
    if (this.networks.size > this.maxNetworks) this.forgetOldest()
    return true
  }

  private forgetOldest(): void {
    for (const network of this.networks.keys()) {
      this.networks.delete(network)
      return
    }
  }
}

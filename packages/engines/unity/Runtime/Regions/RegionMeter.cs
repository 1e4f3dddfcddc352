using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Address that answers measurements by UDP. Two values with the same address are equal.</summary>
    internal struct Beacon
    {
        public string Host { get; set; }

        public int UdpPort { get; set; }
    }

    /// <summary>Measures the latencies to the regions in which game servers can run, and remembers them for a while.</summary>
    internal sealed class RegionMeter
    {
        private const int MaxRegions = 32;
        private const int MaxBeacons = 3;
        private static readonly TimeSpan UsualTimeout = TimeSpan.FromMilliseconds(1500);
        private static readonly TimeSpan LongestTimeout = TimeSpan.FromSeconds(10);
        private static readonly TimeSpan MeasuredFor = TimeSpan.FromMinutes(5);

        private readonly ServiceCalls calls;
        private readonly object turn = new object();
        private IReadOnlyDictionary<string, int> last;
        private DateTime lastAt;

        public RegionMeter(ServiceCalls calls)
        {
            this.calls = calls;
        }

        public async Task<IReadOnlyDictionary<string, int>> Measure(TimeSpan? timeout, CancellationToken cancellation)
        {
            var answer = await calls.Send(new ServiceCall("GET", "regions"), cancellation);
            var regions = new List<KeyValuePair<string, List<Beacon>>>();
            var all = new HashSet<Beacon>();
            foreach (var region in Wire.ListOf(answer.GetArray("regions"), one => one))
            {
                if (regions.Count == MaxRegions) break;
                var beacons = BeaconsOf(region);
                regions.Add(new KeyValuePair<string, List<Beacon>>(region.GetString("region") ?? "", beacons));
                all.UnionWith(beacons);
            }
            var within = timeout ?? UsualTimeout;
            if (within > LongestTimeout) within = LongestTimeout;
            var medians = all.Count == 0
                ? new Dictionary<Beacon, double>()
                : await Task.Run(() => UdpPing.Run(all, within, cancellation), cancellation);
            var latencies = new Dictionary<string, int>();
            foreach (var region in regions)
            {
                var best = double.MaxValue;
                foreach (var beacon in region.Value)
                {
                    double median;
                    if (medians.TryGetValue(beacon, out median) && median < best) best = median;
                }
                if (best < double.MaxValue) latencies[region.Key] = (int)Math.Round(best);
            }
            lock (turn)
            {
                last = latencies;
                lastAt = DateTime.UtcNow;
            }
            return latencies;
        }

        /// <summary>Returns the latencies of the last five minutes; measures when there are none.</summary>
        public Task<IReadOnlyDictionary<string, int>> Recent(CancellationToken cancellation)
        {
            lock (turn)
            {
                var age = DateTime.UtcNow - lastAt;
                if (last != null && age >= TimeSpan.Zero && age < MeasuredFor) return Task.FromResult(last);
            }
            return Measure(null, cancellation);
        }

        private static List<Beacon> BeaconsOf(JsonObject region)
        {
            var beacons = new List<Beacon>();
            foreach (var beacon in Wire.ListOf(region.GetArray("beacons"), one => one))
            {
                var port = beacon.GetLong("udp_port") ?? 0;
                var host = beacon.GetString("host");
                if (port > 0 && port <= 65535 && !string.IsNullOrEmpty(host) && beacons.Count < MaxBeacons) beacons.Add(new Beacon { Host = host, UdpPort = (int)port });
            }
            return beacons;
        }
    }
}

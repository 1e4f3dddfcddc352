using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>
    /// Measures the times of answers of beacons by UDP. The calling thread waits, so that the frames of a game do not delay the times.
    /// </summary>
    internal sealed class UdpPing : IDisposable
    {
        private const int PacketBytes = 12;
        private const int WordBytes = 4;
        private const int Samples = 5;
        private const int GapMilliseconds = 50;
        private const int StepMicroseconds = 1000;

        // MYP1 is the word of a request, MYR1 of an answer. A plain echo, for example the ping service of Agones, returns the request.
        private static readonly byte[] Request = { (byte)'M', (byte)'Y', (byte)'P', (byte)'1' };
        private static readonly byte[] Answer = { (byte)'M', (byte)'Y', (byte)'R', (byte)'1' };

        private readonly Stopwatch clock = Stopwatch.StartNew();
        private readonly Dictionary<AddressFamily, Socket> sockets = new Dictionary<AddressFamily, Socket>();
        private readonly Dictionary<ulong, Sent> sent = new Dictionary<ulong, Sent>();
        private readonly RandomNumberGenerator random = RandomNumberGenerator.Create();

        /// <summary>Returns the median of the answers of each beacon in milliseconds. A beacon without an answer is absent.</summary>
        public static Dictionary<Beacon, double> Run(ICollection<Beacon> beacons, TimeSpan timeout, CancellationToken cancellation)
        {
            using (var ping = new UdpPing()) return ping.Measure(beacons, timeout, cancellation);
        }

        public void Dispose()
        {
            foreach (var socket in sockets.Values) socket.Close();
            random.Dispose();
        }

        private Dictionary<Beacon, double> Measure(ICollection<Beacon> beacons, TimeSpan timeout, CancellationToken cancellation)
        {
            var found = Found(beacons, timeout);
            var times = new Dictionary<Beacon, List<double>>();
            foreach (var beacon in found.Keys) times[beacon] = new List<double>();
            var due = new List<KeyValuePair<double, Beacon>>();
            var begin = clock.Elapsed.TotalMilliseconds;
            for (var round = 0; round < Samples; round++)
            {
                // Requests to different beacons are a millisecond apart, so that their answers do not arrive together.
                foreach (var beacon in found.Keys) due.Add(new KeyValuePair<double, Beacon>(begin + round * GapMilliseconds + due.Count % found.Count, beacon));
            }
            var open = due.Count;
            for (var next = 0; open > 0 && clock.Elapsed < timeout && !cancellation.IsCancellationRequested;)
            {
                while (next < due.Count && due[next].Key <= clock.Elapsed.TotalMilliseconds)
                {
                    var beacon = due[next++].Value;
                    if (!Send(beacon, found[beacon])) open--;
                }
                foreach (var answered in Receive())
                {
                    times[answered.Key].Add(answered.Value);
                    open--;
                }
            }
            cancellation.ThrowIfCancellationRequested();
            return MediansOf(times);
        }

        private static Dictionary<Beacon, IPEndPoint> Found(ICollection<Beacon> beacons, TimeSpan timeout)
        {
            var searches = new Dictionary<Beacon, Task<IPAddress[]>>();
            foreach (var beacon in beacons) searches[beacon] = Dns.GetHostAddressesAsync(beacon.Host);
            try
            {
                Task.WaitAll(new List<Task>(searches.Values).ToArray(), timeout);
            }
            catch (AggregateException)
            {
                // A name that is not found has no address below.
            }
            var found = new Dictionary<Beacon, IPEndPoint>();
            foreach (var search in searches)
            {
                if (search.Value.Status != TaskStatus.RanToCompletion) Handlers.Forgive(search.Value);
                else if (search.Value.Result.Length > 0) found[search.Key] = new IPEndPoint(search.Value.Result[0], search.Key.UdpPort);
            }
            return found;
        }

        private bool Send(Beacon beacon, IPEndPoint to)
        {
            var packet = new byte[PacketBytes];
            random.GetBytes(packet);
            Array.Copy(Request, packet, WordBytes);
            try
            {
                var socket = SocketOf(to.AddressFamily);
                sent[BitConverter.ToUInt64(packet, WordBytes)] = new Sent { Beacon = beacon, At = clock.Elapsed };
                socket.SendTo(packet, to);
                return true;
            }
            catch (SocketException)
            {
                // The host cannot be reached, or the machine has no address of this kind.
                return false;
            }
        }

        private Socket SocketOf(AddressFamily family)
        {
            Socket known;
            if (sockets.TryGetValue(family, out known)) return known;
            var socket = new Socket(family, SocketType.Dgram, ProtocolType.Udp);
            sockets[family] = socket;
            socket.Bind(new IPEndPoint(family == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Any : IPAddress.Any, 0));
            return socket;
        }

        /// <summary>Waits for at most a millisecond, and returns the answers that have arrived.</summary>
        private List<KeyValuePair<Beacon, double>> Receive()
        {
            var answers = new List<KeyValuePair<Beacon, double>>();
            if (sockets.Count == 0)
            {
                Thread.Sleep(1);
                return answers;
            }
            var readable = new List<Socket>(sockets.Values);
            Socket.Select(readable, null, null, StepMicroseconds);
            foreach (var socket in readable) Read(socket, answers);
            return answers;
        }

        private void Read(Socket socket, List<KeyValuePair<Beacon, double>> answers)
        {
            var packet = new byte[PacketBytes + 1];
            EndPoint from = new IPEndPoint(socket.AddressFamily == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Any : IPAddress.Any, 0);
            while (socket.Available > 0)
            {
                int length;
                try
                {
                    length = socket.ReceiveFrom(packet, ref from);
                }
                catch (SocketException)
                {
                    // Windows reports here that a host refused an earlier packet, or that a packet is too long.
                    continue;
                }
                Sent request;
                var id = BitConverter.ToUInt64(packet, WordBytes);
                if (length != PacketBytes || !(Begins(packet, Answer) || Begins(packet, Request)) || !sent.TryGetValue(id, out request)) continue;
                sent.Remove(id);
                answers.Add(new KeyValuePair<Beacon, double>(request.Beacon, (clock.Elapsed - request.At).TotalMilliseconds));
            }
        }

        private static bool Begins(byte[] packet, byte[] word)
        {
            for (var at = 0; at < WordBytes; at++)
            {
                if (packet[at] != word[at]) return false;
            }
            return true;
        }

        private static Dictionary<Beacon, double> MediansOf(Dictionary<Beacon, List<double>> times)
        {
            var medians = new Dictionary<Beacon, double>();
            foreach (var one in times)
            {
                one.Value.Sort();
                if (one.Value.Count > 0) medians[one.Key] = one.Value[(one.Value.Count - 1) / 2];
            }
            return medians;
        }

        private sealed class Sent
        {
            public Beacon Beacon { get; set; }

            public TimeSpan At { get; set; }
        }
    }
}

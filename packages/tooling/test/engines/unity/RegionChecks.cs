using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Matchyard;

public static class RegionChecks
{
    public static void AddTo(List<KeyValuePair<string, Func<Task>>> all)
    {
        all.Add("latencies to regions are measured by UDP; a region without an answer is absent", async () =>
        {
            using (var near = new TestBeacon(0, (byte)'R'))
            using (var far = new TestBeacon(80, (byte)'R'))
            using (var echo = new TestBeacon(0, (byte)'P'))
            using (var silent = new TestBeacon(-1, (byte)'R'))
            {
                var regions = new[]
                {
                    Region("iad", far.Json), Region("fra", far.Json, near.Json), Region("lhr", echo.Json), Region("syd", silent.Json),
                    Region("ams", "{\"host\":\"no-such-host.invalid\",\"udp_port\":7}"), Region("sin", "{\"host\":\"h\",\"url\":\"https://h/ping\"}"), Region("nrt"),
                };
                var fake = new FakeTransport(_ => "{\"regions\":[" + string.Join(",", regions) + "]}");
                using (var client = fake.Client())
                {
                    var latencies = await client.MeasureRegions(TimeSpan.FromSeconds(1));
                    Checks.Same("fra iad lhr", string.Join(" ", latencies.Keys.OrderBy(code => code, StringComparer.Ordinal)));
                    Checks.True(latencies["iad"] >= 79 && latencies["fra"] < latencies["iad"], "fra " + latencies["fra"] + ", iad " + latencies["iad"]);
                }
                Checks.Same("5 5", near.Asked + " " + far.Asked);
            }
        });

        all.Add("play puts measured latencies into the state once in five minutes, and leaves a state that has them", async () =>
        {
            using (var near = new TestBeacon(0, (byte)'R'))
            {
                var fake = new FakeTransport(call => call.Method == "GET" ? "{\"regions\":[" + Region("fra", near.Json) + "]}" : (object)FakeTransport.Status(404, FakeTransport.Problem("QUEUE_NOT_FOUND")));
                using (var client = fake.Client())
                {
                    foreach (var options in new[]
                    {
                        new PlayOptions { Measure = true, State = new JsonObject { { "mmr", 7 } } },
                        new PlayOptions { Measure = true, MeasureField = "latency" },
                        new PlayOptions { Measure = true, State = new JsonObject { { "pings", 1 } } },
                    })
                    {
                        try
                        {
                            await client.Play("duel", options);
                        }
                        catch (MatchyardException error) when (error.Is("QUEUE_NOT_FOUND"))
                        {
                            // The state is in the call.
                        }
                    }
                }
                var states = fake.Calls.Where(call => call.Method == "POST").Select(call => JsonText.ParseObject(call.Body).GetObject("state")).ToArray();
                Checks.Same(3, states.Length);
                Checks.True(states[0].GetLong("mmr") == 7 && states[0].GetObject("pings").GetLong("fra") >= 0, "the first state is " + states[0]);
                Checks.True(states[1].GetObject("latency").ContainsKey("fra"), "the second state is " + states[1]);
                Checks.Same("{\"pings\":1}", states[2].ToString());
                Checks.Same(5, near.Asked);
            }
        });
    }

    private static string Region(string code, params string[] beacons)
    {
        return "{\"region\":\"" + code + "\",\"beacons\":[" + string.Join(",", beacons) + "]}";
    }

    /// <summary>Beacon that answers after a delay; with a negative delay never.</summary>
    private sealed class TestBeacon : IDisposable
    {
        private readonly UdpClient socket = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        private int asked;

        public TestBeacon(int delay, byte third)
        {
            new Thread(() => Serve(delay, third)) { IsBackground = true }.Start();
        }

        public int Asked
        {
            get { return Volatile.Read(ref asked); }
        }

        public string Json
        {
            get { return "{\"host\":\"127.0.0.1\",\"udp_port\":" + ((IPEndPoint)socket.Client.LocalEndPoint).Port + "}"; }
        }

        public void Dispose()
        {
            socket.Close();
        }

        private void Serve(int delay, byte third)
        {
            try
            {
                for (; ; )
                {
                    var from = new IPEndPoint(IPAddress.Any, 0);
                    var packet = socket.Receive(ref from);
                    Interlocked.Increment(ref asked);
                    packet[2] = third;
                    if (delay >= 0) Task.Delay(delay).ContinueWith(_ => socket.Send(packet, packet.Length, from));
                }
            }
            catch (Exception error) when (error is SocketException || error is ObjectDisposedException)
            {
                // The check is over.
            }
        }
    }
}

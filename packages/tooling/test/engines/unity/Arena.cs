using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Matchyard;

/// <summary>A UDP game server: lets players in by join token, opens the seat of a player who leaves, and prints each event.</summary>
public static class Arena
{
    public static async Task<int> Run()
    {
        using (var over = new CancellationTokenSource())
        using (var server = GameServer.Attach())
        using (var socket = new UdpClient(server.Port("game")))
        {
            server.MatchUpdated += roster => Say("roster " + NamesOf(roster));
            server.ConnectionChanged += state => Say("service " + state);
            server.Stopping += deadline =>
            {
                Say("stopping, with " + (deadline > DateTimeOffset.UtcNow ? "time" : "no time") + " left");
                over.Cancel();
            };
            Say("match of " + NamesOf(server.Roster) + " on " + server.Settings.GetString("map") + ", " + server.CustomData.GetLong("rounds") + " rounds");
            await server.Ready();
            using (over.Token.Register(socket.Close)) await Serve(server, socket, over);
            await server.Shutdown();
            Say("the end");
            return 0;
        }
    }

    private static async Task Serve(GameServer server, UdpClient socket, CancellationTokenSource over)
    {
        var players = new Dictionary<IPEndPoint, string>();
        while (!over.IsCancellationRequested)
        {
            UdpReceiveResult received;
            try
            {
                received = await socket.ReceiveAsync();
            }
            catch (ObjectDisposedException)
            {
                return;
            }
            var words = Encoding.UTF8.GetString(received.Buffer).Split(new[] { ' ' }, 2);
            var answer = await Answer(server, players, received.RemoteEndPoint, words[0], words.Length > 1 ? words[1] : "");
            var bytes = Encoding.UTF8.GetBytes(answer);
            await socket.SendAsync(bytes, bytes.Length, received.RemoteEndPoint);
            if (words[0] == "over") return;
        }
    }

    private static async Task<string> Answer(GameServer server, Dictionary<IPEndPoint, string> players, IPEndPoint from, string word, string rest)
    {
        Joiner joiner;
        switch (word)
        {
            case "join":
                var refusal = server.TryVerify(rest, out joiner);
                if (refusal != JoinRefusal.None) return "refused " + refusal;
                players[from] = joiner.PlayerId;
                return "welcome " + joiner.PlayerId + " " + joiner.Team;
            case "leave":
                if (!players.ContainsKey(from)) return "left";
                await server.PlayerLeft(players[from]);
                players.Remove(from);
                var asked = await server.Backfill();
                return "left, " + asked.Open.Values.Sum() + " seat open";
            case "roster": return NamesOf(server.Roster);
            case "ping": return "pong " + rest;
            default: return word;
        }
    }

    private static string NamesOf(MatchRoster roster)
    {
        return string.Join(",", roster.Players().Select(player => player.PlayerId).OrderBy(name => name, StringComparer.Ordinal).ToArray());
    }

    private static void Say(string text)
    {
        Console.WriteLine(text);
    }
}

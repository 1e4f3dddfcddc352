using System;
using System.Threading.Tasks;
using Matchyard;

/// <summary>A player who carries out commands from standard input and prints events to standard output.</summary>
public static class ScriptedPlayer
{
    public static async Task<int> Run(string[] arguments)
    {
        using (var matchyard = new MatchyardClient(arguments[0], arguments[1], arguments[2]))
        {
            var match = await matchyard.Play(arguments[3], new PlayOptions
            {
                State = new JsonObject { { "mmr", int.Parse(arguments[4]) } },
                Settings = new JsonObject { { "map", "dust" } },
                OnProposal = Accept,
            });
            match.Lobby.ConnectionChanged += state => Say("connection " + state);
            Tell(match);
            var endpoint = match.Endpoint("game");
            Say("match " + match.MatchId + " " + match.Me.Team);
            using (var game = new Udp(endpoint))
            {
                for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
                {
                    if (line == "join") Say(game.Ask("join " + match.Endpoint("game").JoinToken));
                    else if (line == "join with a new token") Say(game.Ask("join " + await match.RenewJoinToken()));
                    else if (line == "join with a forged token") Say(game.Ask("join " + Forged(endpoint.JoinToken)));
                    else if (line == "leave the lobby") await match.Lobby.Leave();
                    else Say(game.Ask(line));
                }
            }
            return 0;
        }
    }

    private static async Task Accept(Proposal proposal)
    {
        Say("proposed to " + proposal.Needed);
        await proposal.Accept();
    }

    private static async void Tell(Match match)
    {
        try
        {
            var exit = await match.Ended;
            Say("ended " + exit.Reason + " " + match.Lobby.Current.Status);
        }
        catch (LobbyClosedException closed)
        {
            Say("closed " + closed.Closure.End);
        }
    }

    /// <summary>Returns the token with the claims of another player and the old signature.</summary>
    private static string Forged(string token)
    {
        var parts = token.Split('.');
        var claims = Convert.ToBase64String(System.Text.Encoding.UTF8.GetBytes("{\"sub\":\"mallory\",\"exp\":99999999999}"));
        return parts[0] + "." + claims.TrimEnd('=').Replace('+', '-').Replace('/', '_') + "." + parts[2];
    }

    private static void Say(string text)
    {
        Console.WriteLine(text);
    }
}

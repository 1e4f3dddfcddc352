using System.Collections.Generic;
using Matchyard;
using UnityEngine;

/// <summary>
/// The link between your network code and Matchyard. Call Admit when a connection shows its join token, and HasLeft when a player has left
/// for good.
/// </summary>
public sealed class DedicatedServer : MonoBehaviour
{
    private readonly HashSet<string> playing = new HashSet<string>();

    private GameServer server;

    /// <summary>Returns the player of a join token; null when the token is refused.</summary>
    public Joiner Admit(string joinToken)
    {
        Joiner joiner;
        var refusal = server.TryVerify(joinToken, out joiner);
        if (refusal == JoinRefusal.None) playing.Add(joiner.PlayerId);
        else Debug.Log("refused: " + refusal);
        return joiner;
    }

    /// <summary>Opens the player's seat for searching players; ends the match with its last player.</summary>
    public async void HasLeft(string playerId)
    {
        try
        {
            if (!playing.Remove(playerId)) return;
            await server.PlayerLeft(playerId);
            if (playing.Count == 0) End();
            else await server.Backfill();
        }
        catch (MatchyardException error)
        {
            Debug.LogException(error);
        }
    }

    private async void Start()
    {
        // In the editor the server runs without Matchyard, with a sample map.
        server = GameServer.Attach(new GameServerOptions { Local = new JsonObject { { "settings", new JsonObject { { "map", "dust" } } } } });
        server.MatchUpdated += roster => Debug.Log("version " + roster.Version + " of the match");
        server.Stopping += deadline => End();
        if (!server.IsLocal) Debug.Log("listen on port " + server.Port("game"));
        await server.Ready();
    }

    private async void End()
    {
        await server.Shutdown();
        Application.Quit(0);
    }

    private void OnDestroy()
    {
        if (server != null) server.Dispose();
    }
}

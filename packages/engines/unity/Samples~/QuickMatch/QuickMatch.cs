using System;
using System.Collections;
using System.Threading;
using Matchyard;
using UnityEngine;

/// <summary>
/// Put this component on an object, and call FindMatch from a button. The async and the coroutine version do the same; one of them is
/// enough.
/// </summary>
public sealed class QuickMatch : MonoBehaviour
{
    [SerializeField] private string baseUrl = "http://127.0.0.1:8080";
    [SerializeField] private string clientKey = "ck_live_…";
    [SerializeField] private string queueId = "duel";
    [SerializeField] private string player = "ann";

    private CancellationTokenSource search;

    private MatchyardClient matchyard;

    /// <summary>Finds a match with async; a button's handler.</summary>
    public async void FindMatch()
    {
        try
        {
            Found(await Search());
        }
        catch (Exception error)
        {
            Failed(error);
        }
    }

    /// <summary>Finds a match with a coroutine.</summary>
    public IEnumerator FindMatchAsCoroutine()
    {
        yield return Search().AsCoroutine(Found, Failed);
    }

    /// <summary>Cancels the search; the handler of a "cancel" button.</summary>
    public void Cancel()
    {
        if (search != null) search.Cancel();
    }

    private System.Threading.Tasks.Task<Match> Search()
    {
        search = new CancellationTokenSource();
        if (matchyard == null) matchyard = new MatchyardClient(baseUrl, clientKey, player);
        return matchyard.Play(queueId, new PlayOptions { State = new JsonObject { { "mmr", 1500 } } }, search.Token);
    }

    private void Found(Match match)
    {
        if (!match.HasServer) return;
        var game = match.Endpoint();
        Debug.Log("connect to " + game.Host + ":" + game.Port + " and show the join token");
    }

    private void Failed(Exception error)
    {
        var ended = error as MatchmakingEndedException;
        if (error is OperationCanceledException) Debug.Log("cancelled");
        else if (ended != null) Debug.Log("no match: " + ended.Exit.Reason);
        else Debug.LogException(error);
    }

    private void OnDestroy()
    {
        Cancel();
        if (matchyard != null) matchyard.Dispose();
    }
}

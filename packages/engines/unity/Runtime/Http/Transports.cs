namespace Matchyard
{
    /// <summary>Selects the transport of the platform.</summary>
    internal static class Transports
    {
        public static IHttpTransport Default()
        {
#if UNITY_WEBGL && !UNITY_EDITOR
            return new UnityWebRequestTransport();
#else
            return new HttpClientTransport();
#endif
        }
    }
}

using System;
using System.Net.Sockets;
using System.Text;
using Matchyard;

/// <summary>A player's side of the game's protocol: sends a datagram again after each second without an answer, up to 30 times.</summary>
public sealed class Udp : IDisposable
{
    private readonly UdpClient socket = new UdpClient();

    public Udp(GameEndpoint endpoint)
    {
        socket.Connect(endpoint.Host, endpoint.Port);
        socket.Client.ReceiveTimeout = 1000;
    }

    public string Ask(string text)
    {
        var sent = Encoding.UTF8.GetBytes(text);
        for (var attempt = 0; attempt < 30; attempt++)
        {
            try
            {
                while (socket.Available > 0) Receive();
                socket.Send(sent, sent.Length);
                return Receive();
            }
            catch (SocketException)
            {
                // The server does not listen yet, or its answer took longer than 1 s.
            }
        }
        return "no answer";
    }

    public void Dispose()
    {
        socket.Close();
    }

    private string Receive()
    {
        var from = new System.Net.IPEndPoint(System.Net.IPAddress.Any, 0);
        return Encoding.UTF8.GetString(socket.Receive(ref from));
    }
}
